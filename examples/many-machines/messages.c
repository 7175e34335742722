//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// How long a message takes from rank 0 to rank 1: the numbers of model.py.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { Repetitions = 51 };

static int compare(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) -
         (*(const double *)a < *(const double *)b);
}

// Seconds for one way, the median of Repetitions times `trips` ways there and
// back.
static double timeMessage(char *data, int bytes, int trips, int rank) {
  double times[Repetitions];
  for (int i = 0; i < Repetitions; ++i) {
    double start = MPI_Wtime();
    for (int trip = 0; trip < trips && rank < 2; ++trip) {
      if (rank == 0)
        MPI_Send(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(data, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      if (rank == 1)
        MPI_Send(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    times[i] = (MPI_Wtime() - start) / (2 * trips);
  }
  qsort(times, Repetitions, sizeof(double), compare);
  return times[Repetitions / 2];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, large = 16 << 20;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char *data = calloc((size_t)large, 1);
  int works = data && ranks >= 2;
  if (!works && rank == 0)
    fprintf(stderr, "needs two ranks, and 16 MB\n");
  if (works) {
    double empty = timeMessage(data, 0, 100, rank);
    double full = timeMessage(data, large, 1, rank);
    if (rank == 0)
      printf("%.2f us a message, %.2f GB/s\n", empty * 1e6,
             large / (full - empty) / 1e9);
  }
  free(data);
  MPI_Finalize();
  return works ? 0 : 1;
}
