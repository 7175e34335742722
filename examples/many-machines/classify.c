//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Computes the scores of a batch of images on all ranks of MPI: rank 0 reads
// the batch and scatters it, each rank runs the network on its part, rank 0
// gathers the scores in the order of the images.

#include "net.h"
#include "npy.h"
#include <FusionRuntime/fusion_runtime.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;

// Every rank calls this behind each step, with what went wrong on it, or NULL.
// If there is anything, rank 0 prints it, and all ranks end. MPI_Abort would
// kill ranks before their sentence has reached the terminal.
static void agree(const char *wrong) {
  int mine = wrong ? rank : ranks, first;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == ranks)
    return;
  char sentence[1024];
  if (rank == first)
    snprintf(sentence, sizeof(sentence), "%s", wrong);
  MPI_Bcast(sentence, sizeof(sentence), MPI_CHAR, first, MPI_COMM_WORLD);
  if (rank == 0)
    fprintf(stderr, "rank %d: %s\n", first, sentence);
  MPI_Finalize();
  // One status is enough; mpirun may kill the others when it sees it.
  exit(rank == 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}

static const char *const outOfMemory = "out of memory";

// Null is for failures only: the network wants data, even of no images.
static void *allocate(int count, size_t bytes) {
  return calloc(count ? (size_t)count : 1, bytes ? bytes : 1);
}

// An image, or the scores of one, is one element for MPI, whose counts are of
// int. Returns the number of floats in it, or -1 if there are too many.
static int rowLength(const int64_t *sizes, int dimensions) {
  int64_t length = 1;
  for (int i = 0; i < dimensions; ++i) {
    if (sizes[i] && length > INT_MAX / sizes[i])
      return -1;
    length *= sizes[i];
  }
  return (int)length;
}

static MPI_Datatype makeRow(int length) {
  MPI_Datatype row;
  MPI_Type_contiguous(length, MPI_FLOAT, &row);
  MPI_Type_commit(&row);
  return row;
}

// The images that each rank computes, as many as its share of all threads.
typedef struct {
  int *first, *count;
} Parts;

static Parts share(int64_t images) {
  int32_t threads = fusion_rt_get_num_threads(), *all = allocate(ranks, 4);
  Parts parts = {allocate(ranks, sizeof(int)), allocate(ranks, sizeof(int))};
  agree(all && parts.first && parts.count ? NULL : outOfMemory);
  MPI_Allgather(&threads, 1, MPI_INT32_T, all, 1, MPI_INT32_T, MPI_COMM_WORLD);
  int64_t total = 0, before = 0;
  for (int r = 0; r < ranks; ++r)
    total += all[r];
  for (int r = 0; r < ranks; ++r) {
    parts.first[r] = (int)(images * before / total);
    before += all[r];
    parts.count[r] = (int)(images * before / total) - parts.first[r];
  }
  free(all);
  return parts;
}

// The part of this rank. Rank 0 has the images, and the first part where it is.
static float *scatter(float *images, const int64_t *sizes, const Parts *parts) {
  int count = parts->count[rank], length = rowLength(sizes + 1, 3);
  float *part =
      rank == 0 ? images : allocate(count, (size_t)length * sizeof(float));
  agree(part ? NULL : outOfMemory);
  MPI_Datatype row = makeRow(length);
  MPI_Scatterv(images, parts->count, parts->first, row,
               rank == 0 ? MPI_IN_PLACE : part, count, row, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
  return part;
}

// The scores of all images, on rank 0.
static float *gather(const fusion_memref_f32_2 *part, const Parts *parts) {
  int length = rowLength(part->sizes + 1, 1);
  int images = parts->first[ranks - 1] + parts->count[ranks - 1];
  float *scores = NULL;
  if (rank == 0 && length >= 0)
    scores = allocate(images, (size_t)length * sizeof(float));
  agree(rank == 0 && !scores ? outOfMemory : NULL);
  MPI_Datatype row = makeRow(length);
  MPI_Gatherv(part->data + part->offset, parts->count[rank], row, scores,
              parts->count, parts->first, row, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
  return scores;
}

static float *computeScores(float *images, const int64_t *sizes,
                            const Parts *parts, int64_t *classes) {
  double start = MPI_Wtime();
  float *part = scatter(images, sizes, parts);
  double begin = MPI_Wtime();
  fusion_memref_f32_4 argument = make_fusion_memref_f32_4(
      part, parts->count[rank], sizes[1], sizes[2], sizes[3]);
  net_forward_results results;
  int status = net_forward(&results, &argument);
  double computing = MPI_Wtime() - begin, slowest;
  agree(status ? fusion_rt_last_error() : NULL);
  float *scores = gather(&results.result0, parts);
  double all = MPI_Wtime() - start;

  MPI_Reduce(&computing, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.3f ms, of these %.3f ms in the slowest network\n", all * 1e3,
           slowest * 1e3);
  *classes = results.result0.sizes[1];
  fusion_rt_free(results.result0.allocated);
  if (rank != 0)
    free(part);
  return scores;
}

static const char *readBatch(const char *path, int64_t *sizes, float **images) {
  static char sentence[512];
  const char *wrong = npy_read(path, 4, sizes, images);
  if (!wrong && (sizes[0] > INT_MAX || rowLength(sizes + 1, 3) < 0))
    wrong = "more images, or larger ones, than an int can count";
  if (!wrong)
    return NULL;
  snprintf(sentence, sizeof(sentence), "'%s': %s", path, wrong);
  return sentence;
}

static const char *writeScores(const char *path, int64_t images,
                               int64_t classes, const float *scores) {
  static char sentence[512];
  const int64_t sizes[2] = {images, classes};
  const char *wrong = npy_write(path, 2, sizes, scores);
  if (!wrong)
    return NULL;
  snprintf(sentence, sizeof(sentence), "'%s': %s", path, wrong);
  return sentence;
}

int main(int argc, char **argv) {
  // The runtime has threads, of which none calls MPI.
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int repetitions = argc == 4 ? atoi(argv[3]) : 1;
  agree(argc < 3 || argc > 4 || repetitions < 1
            ? "usage: classify BATCH.npy SCORES.npy [REPETITIONS]"
            : NULL);

  float *images = NULL, *scores = NULL;
  int64_t sizes[4], classes = 0;
  agree(rank == 0 ? readBatch(argv[1], sizes, &images) : NULL);
  MPI_Bcast(sizes, 4, MPI_INT64_T, 0, MPI_COMM_WORLD);
  Parts parts = share(sizes[0]);
  if (rank == 0) {
    printf("images of each rank:");
    for (int r = 0; r < ranks; ++r)
      printf(" %d", parts.count[r]);
    printf("\n");
  }

  for (int i = 0; i < repetitions; ++i) {
    free(scores);
    scores = computeScores(images, sizes, &parts, &classes);
  }
  agree(rank == 0 ? writeScores(argv[2], sizes[0], classes, scores) : NULL);

  free(scores);
  free(images);
  free(parts.first);
  free(parts.count);
  net_release();
  MPI_Finalize();
  return 0;
}
